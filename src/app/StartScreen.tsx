import { Box, type MantineColorSchemeManager } from '@mantine/core';
import { AppProvider } from '#app/ui/AppProvider.tsx';
import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';

/** Shown while the app waits for the device's storage. */
export function StartScreen({ colourScheme }: { colourScheme: MantineColorSchemeManager }) {
  return (
    <AppProvider colourScheme={colourScheme}>
      <PageSpinner />
      <Box component="p" pos="fixed" inset="auto 16px 20vh" ta="center" role="status" data-slow>
        Память устройства отвечает долго. Подождите ещё немного: сохранённое на нём не пропало.
      </Box>
    </AppProvider>
  );
}
