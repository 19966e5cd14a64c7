"""The page as an app of its own: manifest, icon, and a page that tells how to begin where no server answers."""

from html import escape

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, Response

from tesuji.interfaces.web.page.page import STATIC
from tesuji.interfaces.web.words.words import words_for

_OFFLINE = (
    "<!doctype html><html lang='{tag}'><meta charset=utf-8><meta name=viewport content='width=device-width'>"
    "<title>Tesuji</title><style>:root{{color-scheme:light dark}}body{{font:17px/1.5 system-ui;margin:18vh auto;"
    "max-width:32em;padding:0 1.2em;text-align:center}}h1{{font-size:24px;font-weight:500}}img{{width:72px}}</style>"
    "<img src=/icon.svg alt=''><h1>{title}</h1><p>{about}</p><p><a href=/>{again}</a></p>"
)


def add_installing(app: FastAPI) -> None:
    """What a browser needs to keep the page as an app."""

    @app.get("/manifest.webmanifest", include_in_schema=False)
    async def manifest(request: Request) -> Response:
        words = words_for("", request.headers.get("accept-language", ""))
        told = {
            "name": "Tesuji",
            "short_name": "Tesuji",
            "description": words("server.app_about"),
            "lang": words.tag,
            "start_url": "/",
            "display": "standalone",
            "background_color": "#f5f2ec",
            "theme_color": "#f5f2ec",
            "icons": [{"src": "/icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
        }
        return JSONResponse(told, media_type="application/manifest+json")

    @app.get("/icon.svg", include_in_schema=False)
    async def icon() -> Response:
        return FileResponse(STATIC / "favicon.svg", media_type="image/svg+xml")

    @app.get("/worker.js", include_in_schema=False)
    async def worker() -> Response:
        return FileResponse(STATIC / "worker.js", media_type="text/javascript", headers={"cache-control": "no-cache"})

    @app.get("/offline", include_in_schema=False)
    async def offline(request: Request) -> Response:
        words = words_for("", request.headers.get("accept-language", ""))
        told = {name: escape(words(f"server.offline_{name}")) for name in ("title", "about", "again")}
        return HTMLResponse(_OFFLINE.format(tag=words.tag, **told))
