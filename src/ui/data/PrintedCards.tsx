import classes from './PrintedCards.module.css';
import { PrintedPaper } from './PrintedPaper.tsx';
import { QrCode } from './QrCode.tsx';
import { siteAddress, siteName } from '#app/ui/site.ts';

/** What a person signs in with. */
export interface SignInCard {
  userId: string;
  userName: string;
  email: string;
  password: string;
}

const PER_PAGE = 8;

const pagesOf = (cards: readonly SignInCard[]): SignInCard[][] =>
  Array.from({ length: Math.ceil(cards.length / PER_PAGE) }, (_, page) =>
    cards.slice(page * PER_PAGE, (page + 1) * PER_PAGE),
  );

export interface PrintedCardsProps {
  cards: readonly SignInCard[];
  /** Under each name: the class, or the role. */
  group: string;
}

/** Cards on paper, eight to an A4 page. Invisible on the screen. */
export function PrintedCards({ cards, group }: PrintedCardsProps) {
  return (
    <PrintedPaper>
      {pagesOf(cards).map((page) => (
        <div key={page[0]?.userId} className={classes.page}>
          {page.map(({ userId, userName, email, password }) => (
            <div key={userId} className={classes.card}>
              <div className={classes.top}>
                <div className={classes.person}>
                  <p className={classes.name}>{userName}</p>
                  <p className={classes.group}>{group}</p>
                </div>
                <QrCode className={classes.qr} text={siteAddress()} label={siteName()} />
              </div>
              <dl className={classes.facts}>
                <dt>Адрес сайта</dt>
                <dd>{siteName()}</dd>
                <dt>Почта для входа</dt>
                <dd>{email}</dd>
                <dt>Пароль</dt>
                <dd className={classes.password}>{password}</dd>
              </dl>
            </div>
          ))}
        </div>
      ))}
    </PrintedPaper>
  );
}
