/** The bench for returned parcels: a scan opens the return, and its items are inspected and decided one after the other, by keys alone. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import { returns } from '#features/returns/returns/returns.contract.ts'
import { ScanReturn } from '#features/returns/returns/ScanReturn.tsx'
import { useDialogKeys } from '#ui/kit/dialog-keys.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useNoShortcuts } from '#ui/kit/shortcuts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlNumber } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useCall } from '#ui/query/calls.ts'
import { ScannerHere } from '#ui/scanner/handlers.tsx'
import { FullPage } from '#ui/shell/FullPage.tsx'
import { DeskReturn } from './DeskReturn.tsx'
import { DeskUnknown } from './DeskUnknown.tsx'
import style from './ReturnsDesk.module.css'

const Url = { id: urlNumber(0) }

export default function ReturnsDeskScreen() {
  const t = useT()
  const [{ id }, setUrl] = useUrlState(Url)
  useNoShortcuts()
  return (
    <ScannerHere onUnknown={() => undefined}>
      <FullPage title={t('Returns desk')}>
        {id > 0 ? (
          <OpenReturn key={id} id={id} leave={() => setUrl({ id: 0 })} open={next => setUrl({ id: next })} />
        ) : (
          <Idle open={next => setUrl({ id: next })} />
        )}
      </FullPage>
    </ScannerHere>
  )
}

function OpenReturn({ id, leave, open }: { id: number; leave: () => void; open: (id: number) => void }) {
  const found = useCall(returns.get, { id }, { live: [{ topic: 'return', id }] })
  return (
    <QueryState of={found} shape="page">
      {of => <DeskReturn of={of} leave={leave} open={open} />}
    </QueryState>
  )
}

const noKeys = {}

function Idle({ open }: { open: (id: number) => void }) {
  const [unknown, setUnknown] = useState<string | null>(null)
  return unknown === null ? (
    <Waiting open={open} unknown={setUnknown} />
  ) : (
    <DeskUnknown code={unknown} side={<Counts />} leave={() => setUnknown(null)} open={open} />
  )
}

function Waiting({ open, unknown }: { open: (id: number) => void; unknown: (code: string) => void }) {
  const t = useT()
  const [typing, setTyping] = useState(false)
  useDialogKeys(noKeys)
  return (
    <div className={style.frame}>
      <section className={`${style.stage} ${style.idle}`}>
        <h2>{t('Scan a returned parcel')}</h2>
        <p className={style.lead}>{t('Its label, the return or order number, or a serial number')}</p>
        <div>
          <Button size="lg" variant="default" onClick={() => setTyping(true)}>
            {t('Enter a number')}
          </Button>
        </div>
        <ScanReturn opened={typing} close={() => setTyping(false)} open={open} unknown={unknown} />
      </section>
      <p className={style.answer} role="status" />
      <Counts />
    </div>
  )
}

function Counts() {
  const t = useT()
  const counts = useCall(returns.count, {}, { live: ['return'], fresh: 2_000 })
  return (
    <aside className={style.side} aria-label={t('Waiting')}>
      <ul>
        {(
          [
            [t('Expected'), counts.data?.expected],
            [t('Received'), counts.data?.arrived],
            [t('To decide'), counts.data?.decide],
            [t('Unknown parcels'), counts.data?.orphans],
          ] as const
        ).map(([word, count]) => (
          <li key={word}>
            <span>{word}</span>
            <strong>{count ?? '–'}</strong>
          </li>
        ))}
      </ul>
    </aside>
  )
}
