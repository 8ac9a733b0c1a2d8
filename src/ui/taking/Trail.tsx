import classes from './Trail.module.css';

/** The three stages of an answer: only on the device, being sent, on the server. */
export type TrailStage = 'device' | 'sending' | 'server';

const PRIMARY = 'var(--app-primary)';
const CONTROL = 'var(--app-control)';

/** The icon of the three stages; always shown beside its label. */
export function Trail({ stage }: { stage: TrailStage }) {
  return (
    <svg
      className={classes.trail}
      fill="none"
      stroke={CONTROL}
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      data-stage={stage}
      width={44}
      height={16}
      viewBox="0 0 44 16"
      aria-hidden
    >
      <path className={classes.way1} d="M9 8h5" />
      <path className={classes.way2} d="M26 8h6" />
      <circle className={classes.here} fill={PRIMARY} stroke="none" cx={5} cy={8} r={4} />
      <circle className={classes.ring} data-stop="way" cx={20} cy={8} r={3} />
      <circle className={classes.ring} data-stop="server" cx={37.5} cy={8} r={3} />
      <g className={classes.arrow} stroke={PRIMARY}>
        <path d="M9 8h8" />
        <path fill={PRIMARY} strokeWidth={1} d="M16.5 4.2v7.6l5.5-3.8z" />
      </g>
      <g className={classes.done}>
        <path d="M9 8h22" />
        <circle cx={20} cy={8} r={4} />
        <circle cx={37} cy={8} r={6.5} />
        <path stroke="var(--app-surface)" strokeWidth={1.75} d="m34.2 8.2 2 2 3.7-4.2" />
      </g>
    </svg>
  );
}
