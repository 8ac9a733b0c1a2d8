import { Box, Flex } from '@mantine/core';

const LINES: readonly (readonly [term: string, meaning: string])[] = [
  ['+ − * / ^ % !', 'Действия; 10 % 3 это остаток, ^ степень, n! факториал'],
  ['2,5 и max(1,5; a)', 'Дробь с запятой; внутри функции числа разделяет точка с запятой'],
  ['== != < <= > >= and or not', 'Сравнения и условия: a > b and a != 2 * b'],
  ['a > b ? a : b', 'Если верно, то первое, иначе второе'],
  ['sqrt cbrt abs round floor ceil sign', 'Корни, модуль, округление: round(a / 3; 2), знак'],
  ['min max mod gcd lcm factorial', 'Наименьшее, наибольшее, остаток, НОД, НОК, факториал'],
  ['exp ln lg log', 'Экспонента и логарифмы; log(8; 2) по основанию 2'],
  ['sin cos tan asin acos atan', 'Углы в радианах; rad(30) переводит градусы, deg обратно'],
  ['sind cosd tand asind acosd atand', 'То же в градусах: sind(30) это 0,5'],
  ['pi e', 'Числа π и e'],
];

/** Syntax help for expressions. */
export function ExpressionHelp() {
  return (
    <details>
      <Box component="summary" display="list-item" py={10} c="var(--app-link)" fw={500}>
        Что можно писать в выражениях
      </Box>
      <Flex component="dl" direction="column" gap={4} fz="sm">
        {LINES.map(([term, meaning]) => (
          <div key={term}>
            <Box component="dt" fw={500}>
              {term}
            </Box>
            <Box component="dd" mb={6} c="dimmed">
              {meaning}
            </Box>
          </div>
        ))}
      </Flex>
    </details>
  );
}
