/** Right above a list: its export and how it is displayed. What they open is fetched when a hand comes near. */
import { ActionIcon, Button } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconDownload } from '@tabler/icons-react'
import { lazy, type ReactNode, type Ref, Suspense, useEffect, useRef, useState } from 'react'
import { useT } from '../translate.ts'
import type { Columns } from './columns.ts'

const fetchPanels = () => import('./panels.tsx')
const ExportPanel = lazy(async () => ({ default: (await fetchPanels()).ExportPanel }))
const DisplayPanel = lazy(async () => ({ default: (await fetchPanels()).DisplayPanel })) as <R>(props: {
  columns: Columns<R>
  leftOut: number
  close: () => void
  children: ReactNode
}) => ReactNode

export function ExportTool({ start, pending }: { start: (format: 'csv' | 'xlsx') => void; pending?: boolean }) {
  const t = useT()
  return (
    <Tool label={t('Export this view')} popup="menu" icon={<IconDownload size={16} />} pending={pending ?? false}>
      {(close, button) => (
        <ExportPanel start={start} close={close}>
          {button}
        </ExportPanel>
      )}
    </Tool>
  )
}

/** Columns and density. Says beside itself how many columns do not fit. */
export function DisplayTool<R>({ columns, leftOut }: { columns: Columns<R>; leftOut: number }) {
  const t = useT()
  return (
    <Tool
      label={t('Display')}
      popup="dialog"
      icon={<IconAdjustmentsHorizontal size={16} />}
      {...(leftOut > 0 && { words: t('{{count}} hidden', { count: leftOut }) })}
    >
      {(close, button) => (
        <DisplayPanel columns={columns} leftOut={leftOut} close={close}>
          {button}
        </DisplayPanel>
      )}
    </Tool>
  )
}

interface ToolProps {
  label: string
  popup: 'menu' | 'dialog'
  icon: ReactNode
  /** Beside the icon. */
  words?: string
  pending?: boolean
  children: (close: () => void, button: ReactNode) => ReactNode
}

function Tool({ label, popup, icon, words, pending = false, children }: ToolProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const wasOpen = useRef(false)
  // The button that comes back takes the focus that the one before it lost.
  useEffect(() => {
    if (wasOpen.current && !open) button.current?.focus()
    wasOpen.current = open
  }, [open])
  const drawn = (ref?: Ref<HTMLButtonElement>) => {
    const common = {
      ...(ref && { ref }),
      'aria-label': words === undefined ? label : `${label}: ${words}`,
      title: label,
      loading: pending,
      'aria-haspopup': popup,
      onPointerEnter: () => void fetchPanels().catch(() => undefined),
      onClick: () => setOpen(!open),
    }
    return words === undefined ? (
      <ActionIcon {...common} size="lg">
        {icon}
      </ActionIcon>
    ) : (
      <Button {...common} size="compact-md" variant="subtle" color="gray" leftSection={icon}>
        {words}
      </Button>
    )
  }
  if (!open) return drawn(button)
  return <Suspense fallback={drawn()}>{children(() => setOpen(false), drawn())}</Suspense>
}
