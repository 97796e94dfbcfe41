/** The page of one thing: its header with one main action, what blocks it or comes next, its facts, its panels, and the rest of its facts. */
import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  IconAlertTriangle,
  IconArrowLeft,
  IconChevronLeft,
  IconChevronRight,
  IconCircleCheck,
  IconClock,
  IconDots,
  IconProgress,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyButton } from './CopyButton.tsx'
import style from './DetailPage.module.css'
import { disabledBecause } from './disabled.ts'
import { Link } from './Link.tsx'
import { usePageTitle } from './page-title.ts'
import { useT } from './translate.ts'

export interface Fact {
  name: string
  value: ReactNode
}

interface Step {
  label: string
  /** Null at the end of the list. */
  run: (() => void) | null
}

export interface DetailPageProps {
  /** The number or name of the thing. */
  title: string
  documentTitle?: string
  /** What the button beside the title is called; without it nothing is copied. */
  copyLabel?: string
  /** Beside the title, dim: the shop, who made it. A phone leaves it out. */
  note?: ReactNode
  /** The badge of its state. */
  badge?: ReactNode
  back: { to: string; search?: Record<string, unknown>; label?: string }
  steps?: { previous: Step; next: Step }
  /** Further buttons, none of them filled. A phone leaves them out: `more` has them too. */
  actions?: ReactNode
  /** The one filled button. */
  primary?: ReactNode
  /** The items of the menu with everything else. */
  more?: ReactNode
  strip?: ReactNode
  /** Four, or six of which a screen narrower than 1280 px shows the last two under `Details`. */
  facts: readonly Fact[]
  /** The rest of the facts. */
  details?: readonly Fact[]
  /** The panels of the narrow column. */
  side?: ReactNode
  children: ReactNode
}

const phoneWidth = '(max-width: 48em)'
const shown = 4

export function DetailPage({
  title,
  documentTitle,
  copyLabel,
  note,
  badge,
  back,
  steps,
  actions,
  primary,
  more,
  strip,
  facts,
  details = [],
  side,
  children,
}: DetailPageProps) {
  const t = useT()
  usePageTitle(documentTitle ?? title)
  const phone = useMediaQuery(phoneWidth, window.matchMedia(phoneWidth).matches)
  const buttons = (
    <>
      {steps ? (
        <span className={style.steps}>
          <Stepper {...steps.previous} icon={<IconChevronLeft size={20} />} />
          <Stepper {...steps.next} icon={<IconChevronRight size={20} />} />
        </span>
      ) : null}
      {phone ? null : actions}
      {primary}
      {more ? (
        <Menu position="bottom-end" width={320}>
          <Menu.Target>
            <ActionIcon size="lg" variant="default" aria-label={t('More')} title={t('More')}>
              <IconDots size={20} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>{more}</Menu.Dropdown>
        </Menu>
      ) : null}
    </>
  )
  const rest = [...facts.slice(shown).map(fact => ({ ...fact, folded: true })), ...details.map(fact => ({ ...fact, folded: false }))]
  return (
    <div className={style.page}>
      <header className={style.head}>
        <ActionIcon component={Link} to={back.to} search={back.search} size="lg" aria-label={back.label ?? t('Back to the list')}>
          <IconArrowLeft size={20} />
        </ActionIcon>
        <h1 title={title}>{title}</h1>
        {copyLabel ? <CopyButton text={title} label={copyLabel} /> : null}
        {note && !phone ? <span className={style.note}>{note}</span> : null}
        <span className={style.badge}>{badge}</span>
        {phone ? null : <div className={style.actions}>{buttons}</div>}
      </header>
      {strip}
      <dl className={style.facts} data-facts={facts.length > shown ? 6 : 4}>
        {facts.map(fact => (
          <FactItem key={fact.name} {...fact} />
        ))}
      </dl>
      <div className={`${style.columns} ${side ? style.two : ''}`}>
        <div className={style.column}>{children}</div>
        {side || rest.length > 0 ? (
          <div className={style.column}>
            {side}
            {rest.length > 0 ? (
              <Panel title={t('Details')} place={9} folded={details.length === 0}>
                <dl className={style.details}>
                  {rest.map(({ folded, ...fact }) => (
                    <FactItem key={fact.name} {...fact} folded={folded} />
                  ))}
                </dl>
              </Panel>
            ) : null}
          </div>
        ) : null}
      </div>
      {phone ? <div className={style.bar}>{buttons}</div> : null}
    </div>
  )
}

const FactItem = ({ name, value, folded = false }: Fact & { folded?: boolean }) => (
  <div className={folded ? style.folded : undefined}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

function Stepper({ label, run, icon }: Step & { icon: ReactNode }) {
  const t = useT()
  return (
    <Tooltip label={label} disabled={run === null}>
      <ActionIcon
        size="lg"
        variant="subtle"
        aria-label={label}
        {...disabledBecause(run === null && t('The list has no more in this direction'))}
        onClick={() => run?.()}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}

const stripIcons = { busy: IconProgress, done: IconCircleCheck, soon: IconClock, stop: IconAlertTriangle }
export type StripTone = keyof typeof stripIcons

/** The one thing that blocks or comes next, with its button. */
export function StatusStrip({ tone, children, action }: { tone: StripTone; children: ReactNode; action?: ReactNode }) {
  const t = useT()
  const Icon = stripIcons[tone]
  return (
    <section className={`${style.strip} ${style[tone]}`} aria-label={t('Status')}>
      <Icon size={20} />
      <div className={style.sentence}>{children}</div>
      {action}
    </section>
  )
}

export interface PanelProps {
  title: string
  /** Beside the title, dim: how many there are. */
  count?: ReactNode
  actions?: ReactNode
  /** The content has rows that reach the edges. */
  flush?: boolean
  /** The place of the panel on a phone, where all panels stand below one another. */
  place?: number
  /** Only on screens narrower than 1280 px. */
  folded?: boolean
  children: ReactNode
}

export const Panel = ({ title, count, actions, flush = false, place = 0, folded = false, children }: PanelProps) => (
  <section className={`${style.panel} ${folded ? style.folded : ''}`} aria-label={title} style={{ order: place }}>
    <div className={style.panelHead}>
      <h2>
        {title}
        {count ? <span className={style.count}>{count}</span> : null}
      </h2>
      {actions ? <div className={style.panelActions}>{actions}</div> : null}
    </div>
    {flush ? children : <div className={style.panelBody}>{children}</div>}
  </section>
)
