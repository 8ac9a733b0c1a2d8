/** Limit for all processes of a machine together: PostgreSQL accepts 100 connections by default. */
const ALL_CONNECTIONS = 60;
/** The number for a process that runs alone. */
const MAX_EACH = 20;
/** Two saves, two sign-in checks. */
const MIN_EACH = 4;

/** The number of connections for each of these processes. */
export const connectionsEach = (processes: number): number =>
  Math.min(MAX_EACH, Math.max(MIN_EACH, Math.floor(ALL_CONNECTIONS / processes)));
