/** A state: icon and word, and one of few tones that each mean one thing. */
import { IconAlertTriangle, IconBan, IconCircle, IconCircleCheck, IconClock, IconProgress } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import style from './StateBadge.module.css'

/** `plain` not begun, `quiet` no longer matters, `busy` being worked on, `done`, `soon` waits or is due, `stop` wrong or forbidden. */
export type Tone = 'plain' | 'quiet' | 'busy' | 'done' | 'soon' | 'stop'

const icons: Record<Tone, ComponentType<{ size: number }>> = {
  plain: IconCircle,
  quiet: IconBan,
  busy: IconProgress,
  done: IconCircleCheck,
  soon: IconClock,
  stop: IconAlertTriangle,
}

export function StateBadge({
  tone,
  icon: Icon = icons[tone],
  children,
}: {
  tone: Tone
  icon?: ComponentType<{ size: number }>
  children: ReactNode
}) {
  return (
    <span className={`${style.state} ${style[tone]}`}>
      <Icon size={16} />
      <span className={style.word}>{children}</span>
    </span>
  )
}
