/** Limit for all processes of a machine together: PostgreSQL accepts 100 connections by default. */
const ALL_CONNECTIONS = 60;
/** The number for a process that runs alone. */
const MOST_EACH = 20;
/** Two saves, two sign-in checks. */
const LEAST_EACH = 4;

/** The number of connections for each of these processes. */
export const connectionsEach = (processes: number): number =>
  Math.min(MOST_EACH, Math.max(LEAST_EACH, Math.floor(ALL_CONNECTIONS / processes)));
