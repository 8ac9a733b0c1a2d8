/** Milliseconds of work that this process has done: unlike the clock it stands still while others have the machine. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
