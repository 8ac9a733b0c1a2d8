/** The data of server-sent events, parsed, as they arrive, until the end of the stream. */
export async function* eventsOf(response: Response): AsyncGenerator {
  let text = '';
  for await (const part of response.body ?? []) {
    text += Buffer.from(part as Uint8Array).toString();
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6));
  }
}
