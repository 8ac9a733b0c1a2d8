import { IconArrowsLeftRight } from '@tabler/icons-react';

export const complianceIcons = { matching: IconArrowsLeftRight };
