// Search in a site that is read from a folder, without a server: there a browser refuses a Worker. This one runs its
// script in a hidden frame. The theme asks for this class by its name; importScripts, for other languages, is left out.
if (location.protocol === "file:") {
    self.IFrameWorker = class IFrameWorker extends EventTarget {
        constructor(url) {
            super();
            const frame = document.createElement("iframe");
            frame.hidden = true;
            document.body.append(frame);
            this.inside = frame.contentWindow;
            this.inside.document.open();
            this.inside.document.write(`<script src="${new URL(url, document.baseURI)}"></scr` + "ipt>");
            this.inside.document.close();
            this.inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }));
            this.loaded = new Promise(done => (this.inside.onload = done));
        }

        postMessage(data) {
            this.loaded.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
        }
    };
    self.Worker = self.IFrameWorker;
}
