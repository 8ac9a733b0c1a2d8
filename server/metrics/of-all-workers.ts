import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import * as v from 'valibot';

const Request = v.object({ type: v.literal('metrics-request'), id: v.number() });
const Reply = v.object({
  type: v.literal('metrics-reply'),
  id: v.number(),
  /** Null: a worker did not answer in time. */
  text: v.nullable(v.string()),
});

/** In the primary: a worker that is scraped gets the metrics of all of them as one text. */
export function answerMetricsRequests(): void {
  const registry = new AggregatorRegistry();
  cluster.on('message', (worker, message) => {
    const request = v.safeParse(Request, message);
    if (!request.success) return;
    const reply = (text: string | null) => {
      if (worker.isConnected()) worker.send({ type: 'metrics-reply', id: request.output.id, text });
    };
    registry.clusterMetrics().then(reply, () => reply(null));
  });
}

/**
 * In a worker: makes its registries part of the whole.
 * @returns reads the metrics of all workers; null: one of them did not answer in time
 */
export function joinMetrics(registries: Registry[]): () => Promise<string | null> {
  AggregatorRegistry.setRegistries(registries);
  // Creating one is what makes a worker answer the primary.
  void new AggregatorRegistry();
  const waiting = new Map<number, (text: string | null) => void>();
  let last = 0;
  process.on('message', (message) => {
    const reply = v.safeParse(Reply, message);
    if (!reply.success) return;
    waiting.get(reply.output.id)?.(reply.output.text);
    waiting.delete(reply.output.id);
  });
  return () =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      process.send?.({ type: 'metrics-request', id: last });
    });
}
