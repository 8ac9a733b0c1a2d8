import { Box, Flex, Text } from '@mantine/core';
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

const CARD = {
  direction: 'column',
  justify: 'space-between',
  gap: '2mm',
  p: '5mm',
  bd: '0.3mm dashed #858991',
  className: 'clip',
  style: { breakInside: 'avoid' },
} as const;

const NAME = { component: 'dt', inherit: true, mt: '1.2mm', c: '#50545d', fz: '8pt' } as const;

const FACT = { component: 'dd', inherit: true, fw: 500, className: 'break-anywhere' } as const;

/** Cards on paper, eight to an A4 page. Invisible on the screen. */
export function PrintedCards({ cards, group }: PrintedCardsProps) {
  return (
    <PrintedPaper>
      {pagesOf(cards).map((page) => (
        <div key={page[0]?.userId} className={classes.page}>
          {page.map(({ userId, userName, email, password }) => (
            <Flex key={userId} {...CARD}>
              <Flex justify="space-between" gap="3mm" mih={0}>
                <Box miw={0}>
                  <Text lineClamp={3} fz="13pt" fw={600} lh={1.2} className="break-anywhere">
                    {userName}
                  </Text>
                  <Text lineClamp={1} fz="9pt" mt="1mm" className="break-anywhere">
                    {group}
                  </Text>
                </Box>
                <QrCode
                  w="23mm"
                  h="23mm"
                  mt="-2mm"
                  me="-2mm"
                  text={siteAddress()}
                  label={siteName()}
                />
              </Flex>
              <Box component="dl" fz="10.5pt" lh={1.2}>
                <Text {...NAME}>Адрес сайта</Text>
                <Text {...FACT}>{siteName()}</Text>
                <Text {...NAME}>Почта для входа</Text>
                <Text {...FACT}>{email}</Text>
                <Text {...NAME}>Пароль</Text>
                <Text {...FACT} fz="14pt" fw={600} lts="0.04em">
                  {password}
                </Text>
              </Box>
            </Flex>
          ))}
        </div>
      ))}
    </PrintedPaper>
  );
}
