import { hostname, networkInterfaces } from 'node:os';

/** An address of this machine in its network. */
export interface LanAddress {
  /** Name of the interface, `wlan0`. */
  device: string;
  /** IPv4. */
  address: string;
}

const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/;
const MACHINERY = /^(docker|br-|veth|virbr|vmnet|vboxnet|tun|tap|utun|zt|tailscale)/;

/** Addresses that phones may reach, the likeliest first. */
export function lanAddresses(interfaces = networkInterfaces()): LanAddress[] {
  const found = Object.entries(interfaces).flatMap(([device, list = []]) =>
    list
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .filter(({ address }) => !address.startsWith('169.254.'))
      .map(({ address }) => ({ device, address })),
  );
  const rank = ({ device, address }: LanAddress) =>
    (MACHINERY.test(device) ? 2 : 0) + (PRIVATE.test(address) ? 0 : 1);
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/** Every name under which this machine may be reached in the network. */
export function lanNames(addresses: readonly LanAddress[], host = hostname()): string[] {
  const short = host.toLowerCase().replace(/\.local$/, '');
  const named = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(short) ? [short, `${short}.local`] : [];
  return [
    ...new Set(['localhost', ...named, '127.0.0.1', ...addresses.map(({ address }) => address)]),
  ];
}
