import classes from './Trail.module.css';

/** The three stages of an answer: only on the device, being sent, on the server. */
export type TrailStage = 'device' | 'sending' | 'server';

/** The icon of the three stages; always shown beside its label. */
export function Trail({ stage }: { stage: TrailStage }) {
  return (
    <svg
      className={classes.trail}
      data-stage={stage}
      width={44}
      height={16}
      viewBox="0 0 44 16"
      aria-hidden
    >
      <path className={classes.way1} d="M9 8h5" />
      <path className={classes.way2} d="M26 8h6" />
      <circle className={classes.here} cx={5} cy={8} r={4} />
      <circle className={classes.ring} data-stop="way" cx={20} cy={8} r={3} />
      <circle className={classes.ring} data-stop="server" cx={37.5} cy={8} r={3} />
      <g className={classes.arrow}>
        <path d="M9 8h8" />
        <path className={classes.tip} d="M16.5 4.2v7.6l5.5-3.8z" />
      </g>
      <g className={classes.done}>
        <path d="M9 8h22" />
        <circle cx={20} cy={8} r={4} />
        <circle cx={37} cy={8} r={6.5} />
        <path className={classes.tick} d="m34.2 8.2 2 2 3.7-4.2" />
      </g>
    </svg>
  );
}
