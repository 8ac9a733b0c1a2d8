import classes from './ShareBar.module.css';

/** A share from 0 to 1 as a bar; the figure is text beside it. `width` is a CSS length. */
export function ShareBar({ share, width = '5rem' }: { share: number; width?: string }) {
  return (
    <span className={classes.bar} style={{ width }} aria-hidden>
      <span style={{ width: `${share * 100}%` }} />
    </span>
  );
}
