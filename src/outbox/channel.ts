import * as v from 'valibot';

/** What pages and the worker tell each other. They may differ in version: unknown kinds are dropped. */
const Message = v.variant('kind', [
  v.object({ kind: v.literal('changed'), attemptId: v.nullable(v.string()) }),
  /** Somebody wants the outbox to be sent now. */
  v.object({ kind: v.literal('wake') }),
  v.object({ kind: v.literal('sessionChanged') }),
]);
export type ChannelMessage = v.InferOutput<typeof Message>;

export interface Channel {
  post(message: ChannelMessage): void;
  /** Returns the way to stop. */
  listen(listener: (message: ChannelMessage) => void): () => void;
}

/** Name of the channel that pages and worker share. */
export const CHANNEL = 'exam-room-outbox';

export function broadcastChannel(port: BroadcastChannel): Channel {
  return {
    post: (message) => port.postMessage(message),
    listen: (listener) => {
      const hear = (event: MessageEvent<unknown>): void => {
        const parsed = v.safeParse(Message, event.data);
        if (parsed.success) listener(parsed.output);
      };
      port.addEventListener('message', hear);
      return () => port.removeEventListener('message', hear);
    },
  };
}
