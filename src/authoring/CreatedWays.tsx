import { Link } from '@tanstack/react-router';
import classes from './authoring.module.css';
import { CreateTestButton } from './CreateTestButton.tsx';

/** Where questions come from: «Создать тест» and «Банк вопросов»; in the heading, or stacked above a list. */
export function CreatedWays({ isStacked = false }: { isStacked?: boolean }) {
  const bank = <Link to="/bank">Банк вопросов</Link>;
  if (isStacked) {
    return (
      <div className={classes.stackedWays}>
        <CreateTestButton fullWidth />
        {bank}
      </div>
    );
  }
  return (
    <div className={classes.ways}>
      {bank}
      <CreateTestButton />
    </div>
  );
}
