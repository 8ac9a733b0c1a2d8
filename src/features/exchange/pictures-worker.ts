import * as v from 'valibot';
import { decodePicture } from '#app/lib/pictures/decode-picture.ts';
import { PictureRefusal, preparePicture } from '#app/lib/pictures/prepare-picture.ts';
import { PictureRequest, type PictureReply } from './pictures-messages.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one page to answer
const send = (reply: PictureReply): void => self.postMessage(reply);

// Hundreds of pictures are drawn here, so that the page's buttons respond meanwhile.
self.addEventListener('message', (event: MessageEvent<unknown>) => {
  void (async () => {
    const { id, file } = v.parse(PictureRequest, event.data);
    try {
      send({
        kind: 'prepared',
        id,
        picture: await preparePicture(file, (one) => decodePicture(one)),
      });
    } catch (error) {
      send({
        kind: 'refused',
        id,
        message: error instanceof PictureRefusal ? error.message : null,
      });
    }
  })();
});
