import { IconUsersPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Icon } from '#app/ui/Icon.tsx';
import classes from './JoinPage.module.css';

/** Link to the page for entering a join code. */
export function JoinLink() {
  return (
    <Link to="/join" className={classes.link}>
      <Icon of={IconUsersPlus} />
      Вступить в класс по коду
    </Link>
  );
}
