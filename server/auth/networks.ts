import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Groups of an IPv6 address that one household or school has for itself. */
const NETWORK_GROUPS = 4;

/**
 * Whose address it is: of IPv6 the /64, whose owner has as many addresses as he likes; IPv4 as it is, also
 * when it is written as IPv6. What is no address, such as a careless proxy passes on, stays as it came.
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

/** The same for the log of acts; null: it is no address, and nothing a stranger typed is kept. */
export const loggedNetworkOf = (address: string): string | null =>
  isIP(address) === 0 ? null : networkOf(address);
