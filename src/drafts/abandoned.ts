import * as v from 'valibot';

/** Informs the other tabs of this browser that a person deleted the edits that the server does not have. */

const Message = v.object({ kind: v.literal('abandon'), owner: v.string() });
const CHANNEL = 'exam-room-drafts';

export function postAbandoned(owner: string): void {
  const port = new BroadcastChannel(CHANNEL);
  port.postMessage({ kind: 'abandon', owner } satisfies v.InferOutput<typeof Message>);
  port.close();
}

export function followAbandoned(run: (owner: string) => void): void {
  new BroadcastChannel(CHANNEL).addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (v.is(Message, data)) run(data.owner);
  });
}
