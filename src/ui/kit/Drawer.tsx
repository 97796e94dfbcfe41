/** A drawer at the right edge, in which one thing is made or changed. */
import type { DrawerProps } from '@mantine/core'
import { openedPart, WhenOpened } from './WhenOpened.tsx'

const panel = openedPart(() => import('./DrawerPanel.tsx').then(module => module.DrawerPanel))

export const Drawer = (props: DrawerProps) => <WhenOpened part={panel} props={props} />
