# Two small images: `server`, the board and the engines over a network, and `worker`, a node of a Ray cluster.
#   docker build --target server -t tesuji .            docker run -p 8080:8080 tesuji
#   docker build --target worker -t tesuji-worker .
#       docker run -e RAY_AUTH_MODE=token -e RAY_AUTH_TOKEN=SECRET tesuji-worker start --block --address HEAD:6379
# Checked by hand and by tests/test_packaging.py, which reads it; the project's machines have no Docker to run it.
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
COPY CMakeLists.txt LICENSE README.md pyproject.toml /source/
COPY cpp /source/cpp
COPY src /source/src
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /source

FROM python:3.12-slim AS base
COPY --from=build /wheels /wheels
RUN useradd --create-home tesuji
ENV TESUJI_HOME=/home/tesuji/data

FROM base AS worker
ENV RAY_USAGE_STATS_ENABLED=0
RUN pip install --no-cache-dir "$(ls /wheels/*.whl)[cluster]"
USER tesuji
WORKDIR /home/tesuji
ENTRYPOINT ["ray"]
CMD ["start", "--block", "--address", "head:6379"]

FROM base AS server
RUN pip install --no-cache-dir "$(ls /wheels/*.whl)[web]"
USER tesuji
WORKDIR /home/tesuji
RUN mkdir data
VOLUME /home/tesuji/data
EXPOSE 8080
ENTRYPOINT ["tesuji"]
CMD ["play", "--host", "0.0.0.0", "--no-browser"]
