/** All processes of a machine together: PostgreSQL takes 100 connections unless it is told otherwise. */
const ALL_CONNECTIONS = 60;
/** A process alone has as many. */
const MOST_EACH = 20;
/** Two saves, two checks of sign-ins. */
const LEAST_EACH = 4;

/** How many connections each of so many processes may open. */
export const connectionsEach = (processes: number): number =>
  Math.min(MOST_EACH, Math.max(LEAST_EACH, Math.floor(ALL_CONNECTIONS / processes)));
