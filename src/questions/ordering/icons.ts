import { IconListNumbers } from '@tabler/icons-react';

export const orderingIcons = { ordering: IconListNumbers };
