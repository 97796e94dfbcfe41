/** A parcel on the bench that no scan explains: a photo, its shelf, Enter. It is kept until its order is known. */
import { TextInput } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { returnChange } from '#features/returns/returns/return-refreshes.client.ts'
import { returns } from '#features/returns/returns/returns.contract.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { useScanHandler, useScanner } from '#ui/scanner/handlers.tsx'
import { DeskKeys } from './DeskKeys.tsx'
import { DeskPhotoInput } from './DeskPhotoInput.tsx'
import { escapeKey, useDeskKeys } from './desk-keys.client.ts'
import style from './ReturnsDesk.module.css'

interface Props {
  code: string
  side: ReactNode
  leave: () => void
  open: (id: number) => void
}

export function DeskUnknown({ code, side, leave, open }: Props) {
  const t = useT()
  const { play } = useScanner()
  const { init } = useSignedIn()
  const file = useRef<HTMLInputElement>(null)
  const [client_id] = useState(() => crypto.randomUUID())
  const [photo, setPhoto] = useState<File | null>(null)
  const [shelf, setShelf] = useState('')
  const [company, setCompany] = useState('')
  const [said, setSaid] = useState('')
  const keep = useSend(returns.createOrphan, {
    ...returnChange,
    quiet: true,
    done: made => {
      play('ok')
      open(made.id)
    },
  })
  const companies = init.CompanyLookup
  const save = () => {
    if (keep.isPending) return
    if (photo === null) {
      play('error')
      setSaid(t('Take a photo first'))
      return
    }
    keep.mutate({
      ...{ client_id, code: code.slice(0, 256), shelf, upload: photo },
      ...(company !== '' && { company_id: Number(company) }),
    })
  }
  useScanHandler({
    match: scanned => (scanned.kind === 'refused' || scanned.kind === 'command' ? null : scanned.text),
    handle: text => {
      play('ok')
      setShelf(text.slice(0, 40))
    },
  })
  const keys = useDeskKeys([
    { code: 'F2', name: photo ? t('Another photo') : t('Take photo'), run: () => file.current?.click() },
    { code: 'Enter', name: t('Register parcel'), run: save },
    { code: escapeKey, name: t('Leave parcel'), run: leave, isEscape: true },
  ])
  return (
    <div className={style.frame}>
      <section className={`${style.stage} ${style.soon}`}>
        <h2>{t('Unknown parcel')}</h2>
        <p className={style.lead}>
          {t('No return and no order is known for {{code}}. Take a photo of the parcel and put it on a shelf.', { code })}
        </p>
        <form
          className={style.unknown}
          onSubmit={event => {
            event.preventDefault()
            save()
          }}
        >
          {companies.length > 1 ? (
            <NativeChoice
              label={t('Company')}
              value={company}
              data={[{ value: '', label: t('Own company') }, ...companies.map(one => ({ value: String(one.id), label: one.name }))]}
              choose={setCompany}
            />
          ) : null}
          <TextInput
            label={t('Shelf')}
            description={t('Scan the shelf, or type it')}
            value={shelf}
            maxLength={40}
            autoComplete="off"
            onChange={event => setShelf(event.currentTarget.value)}
          />
        </form>
        {photo ? <p className={style.note}>{t('Photo taken: {{name}}', { name: photo.name })}</p> : null}
      </section>
      <p className={style.answer} role="status">
        {keep.error ? errorSentence(keep.error) : said}
      </p>
      {side}
      <DeskKeys keys={keys} />
      <DeskPhotoInput
        input={file}
        taken={taken => {
          setPhoto(taken)
          setSaid('')
        }}
      />
    </div>
  )
}
