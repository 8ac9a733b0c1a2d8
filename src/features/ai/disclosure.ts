import * as v from 'valibot';

const KEY = 'aiTold';

/** Hosts with a disclosure that was acknowledged on this device. */
function disclosedHosts(local: Pick<Storage, 'getItem'>): string[] {
  const stored = v.safeParse(
    v.pipe(v.string(), v.parseJson(), v.array(v.string())),
    local.getItem(KEY),
  );
  return stored.success ? stored.output : [];
}

export const wasDisclosed = (local: Pick<Storage, 'getItem'>, host: string): boolean =>
  disclosedHosts(local).includes(host);

/** Records that the host's disclosure was acknowledged. */
export function markDisclosed(local: Pick<Storage, 'getItem' | 'setItem'>, host: string): void {
  const hosts = [...new Set([...disclosedHosts(local), host])].slice(-10);
  try {
    local.setItem(KEY, JSON.stringify(hosts));
  } catch {
    // Storage is full: the disclosure is shown again next time.
  }
}
