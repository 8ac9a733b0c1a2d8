/** CPU milliseconds of this process: unlike the clock they do not advance while other processes run. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
