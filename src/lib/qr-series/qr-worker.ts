import * as v from 'valibot';
import { readCode } from './read-code.ts';

const Image = v.object({
  width: v.number(),
  height: v.number(),
  data: v.instance(Uint8ClampedArray),
});

// A picture takes 10 to 50 ms: the page draws the camera's video meanwhile.
self.addEventListener('message', (event: MessageEvent<unknown>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one page to answer
  self.postMessage(readCode(v.parse(Image, event.data)));
});
