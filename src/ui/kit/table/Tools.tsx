/** Right above a list: its export and the choice of its columns. What they open is fetched when a hand comes near. */
import { ActionIcon } from '@mantine/core'
import { IconColumns3, IconDownload } from '@tabler/icons-react'
import { lazy, type ReactNode, type Ref, Suspense, useEffect, useRef, useState } from 'react'
import { useT } from '../translate.ts'
import type { Columns } from './columns.ts'

const fetchPanels = () => import('./panels.tsx')
const ExportPanel = lazy(async () => ({ default: (await fetchPanels()).ExportPanel }))
const ColumnPanel = lazy(async () => ({ default: (await fetchPanels()).ColumnPanel })) as <R>(props: {
  columns: Columns<R>
  close: () => void
  children: ReactNode
}) => ReactNode

export function ExportTool({ start, pending }: { start: (format: 'csv' | 'xlsx') => void; pending?: boolean }) {
  const t = useT()
  return (
    <Tool label={t('Export this view')} icon={<IconDownload size={16} />} pending={pending ?? false}>
      {(close, button) => (
        <ExportPanel start={start} close={close}>
          {button}
        </ExportPanel>
      )}
    </Tool>
  )
}

export function ColumnTool<R>({ columns }: { columns: Columns<R> }) {
  const t = useT()
  return (
    <Tool label={t('Columns')} icon={<IconColumns3 size={16} />}>
      {(close, button) => (
        <ColumnPanel columns={columns} close={close}>
          {button}
        </ColumnPanel>
      )}
    </Tool>
  )
}

interface ToolProps {
  label: string
  icon: ReactNode
  pending?: boolean
  children: (close: () => void, button: ReactNode) => ReactNode
}

function Tool({ label, icon, pending = false, children }: ToolProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const wasOpen = useRef(false)
  // The button that comes back takes the focus that the one before it lost.
  useEffect(() => {
    if (wasOpen.current && !open) button.current?.focus()
    wasOpen.current = open
  }, [open])
  const drawn = (ref?: Ref<HTMLButtonElement>) => (
    <ActionIcon
      {...(ref && { ref })}
      size="lg"
      aria-label={label}
      title={label}
      loading={pending}
      aria-haspopup="dialog"
      onPointerEnter={() => void fetchPanels().catch(() => undefined)}
      onClick={() => setOpen(!open)}
    >
      {icon}
    </ActionIcon>
  )
  if (!open) return drawn(button)
  return <Suspense fallback={drawn()}>{children(() => setOpen(false), drawn())}</Suspense>
}
