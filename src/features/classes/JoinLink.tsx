import { IconUsersPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Icon } from '#app/ui/Icon.tsx';

/** Link to the page for entering a join code. */
export function JoinLink() {
  return (
    <Link to="/join" className="tap" style={{ gap: '0.5rem', marginTop: '0.75rem' }}>
      <Icon of={IconUsersPlus} />
      Вступить в класс по коду
    </Link>
  );
}
