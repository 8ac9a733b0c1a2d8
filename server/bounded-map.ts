/** A map of limited size, for caches: a new entry evicts the oldest one. */
export class BoundedMap<V> extends Map<string, V> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override set(key: string, value: V): this {
    const oldest = this.keys().next();
    if (this.size >= this.#limit && !this.has(key) && !oldest.done) this.delete(oldest.value);
    return super.set(key, value);
  }
}
