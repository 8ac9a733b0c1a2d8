import { IconUsersPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import classes from './JoinPage.module.css';

/** The way to a class for a pupil who was told its code. */
export function JoinLink() {
  return (
    <Link to="/join" className={classes.link}>
      <IconUsersPlus size={20} stroke={1.75} aria-hidden />
      Вступить в класс по коду
    </Link>
  );
}
