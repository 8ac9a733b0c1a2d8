import { IconForms } from '@tabler/icons-react';

export const gapsIcons = { gaps: IconForms };
