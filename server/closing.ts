/** What ends the parts of a process, in the order in which they were opened. */
export type Closing = (() => Promise<void> | void)[];

/** Ends them, the last one first; each once, however often it is called. */
export async function closeAll(closing: Closing): Promise<void> {
  for (let close = closing.pop(); close; close = closing.pop()) await close();
}
