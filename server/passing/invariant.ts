/** A state that no request can lead to: a bug of the server. The reply is 500, and the transaction rolls back. */
export class BrokenInvariant extends Error {
  constructor(invariant: string) {
    super(invariant);
    this.name = 'BrokenInvariant';
  }
}

/**
 * Checks what must hold at this point, whatever a client sends.
 * @param invariant the rule, for the log and the simulation
 * @throws {BrokenInvariant}
 */
export function assertInvariant(holds: boolean, invariant: string): asserts holds {
  if (!holds) throw new BrokenInvariant(invariant);
}
