import { IconUsersPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { cx } from '#app/ui/cx.ts';
import { Icon } from '#app/ui/Icon.tsx';
import classes from './JoinPage.module.css';

/** Link to the page for entering a join code. */
export function JoinLink() {
  return (
    <Link to="/join" className={cx('tap', classes.link)}>
      <Icon of={IconUsersPlus} />
      Вступить в класс по коду
    </Link>
  );
}
