import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The leading groups of an IPv6 address that identify one household or school. */
const NETWORK_GROUPS = 4;

/**
 * The network of an address: for IPv6 the /64, since one owner has any number of addresses; IPv4 unchanged, also when
 * written as IPv6. A text that is no address, as from a careless proxy, stays unchanged.
 */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6)
    return `${parsed.parts
      .slice(0, NETWORK_GROUPS)
      .map((group) => group.toString(16))
      .join(':')}::/64`;
  return parsed.toString();
}

/** The same for the log of acts; null: not an address, and text from a stranger is not stored. */
export const loggedNetworkOf = (address: string): string | null =>
  isIP(address) === 0 ? null : networkOf(address);
