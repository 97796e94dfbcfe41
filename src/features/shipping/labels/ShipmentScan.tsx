/** Parcels on their way with the own courier: scanned when they leave, and at the customer's. */
import { Button, Group, SegmentedControl, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { CallError } from '#ui/query/call-error.ts'
import { send } from '#ui/query/calls.ts'
import { CameraButton } from '#ui/scanner/CameraButton.tsx'
import { ScannerHere, useScanHandler, useScanner } from '#ui/scanner/handlers.tsx'
import { labels } from './labels.contract.ts'
import type { Shipment } from './labels.schemas.ts'
import { OrderLink } from './OrderLink.tsx'
import style from './Shipments.module.css'
import { ShipmentBadge } from './shipment.labels.tsx'

const steps = ['handed_over', 'delivered', 'delivery_failed'] as const
type Step = (typeof steps)[number]

/** One scan of this sitting, newest first. */
interface Scanned {
  key: number
  code: string
  at: number
  shipment?: Shipment
  refused?: string
}
/** As many as a person looks back. */
const kept = 50

export const ShipmentScan = () => (
  <ScannerHere onUnknown={() => undefined}>
    <Panel />
  </ScannerHere>
)

function Panel() {
  const t = useT()
  const { play } = useScanner()
  const [step, setStep] = useState<Step>('handed_over')
  const [place, setPlace] = useState('')
  const [typed, setTyped] = useState('')
  const [scans, setScans] = useState<readonly Scanned[]>([])
  const words: Record<Step, string> = { handed_over: t('Handed over'), delivered: t('Delivered'), delivery_failed: t('Not delivered') }

  const take = async (code: string) => {
    const key = Date.now() + Math.random()
    const write = (scan: Partial<Scanned>) => setScans(before => before.map(one => (one.key === key ? { ...one, ...scan } : one)))
    setScans(before => [{ key, code, at: Date.now() }, ...before].slice(0, kept))
    try {
      write({ shipment: await send(labels.event, { body: { barcode: code, event: step, place: place.trim() || null } }) })
      play('ok')
    } catch (error) {
      write({ refused: errorSentence(error) })
      // A blocked label, or a parcel that must not leave, is more than a mistake.
      play(error instanceof CallError && error.status === 409 ? 'attention' : 'error')
    }
  }
  useScanHandler({
    match: code => (code.kind === 'refused' ? null : code.text),
    handle: text => take(text),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() === '') return
    void take(typed.trim())
    setTyped('')
  }
  const [last] = scans

  return (
    <Stack gap="md" maw={720}>
      <Text c="dimmed">{t('For parcels of your own courier. Other couriers tell automatically where a parcel is.')}</Text>
      <SegmentedControl
        aria-label={t('What happened to the parcels')}
        value={step}
        onChange={value => setStep(value)}
        data={steps.map(value => ({ value, label: words[value] }))}
      />
      <TextInput
        label={t('Where')}
        description={t('The recipient sees it on the tracking page.')}
        maxLength={100}
        value={place}
        onChange={event => setPlace(event.currentTarget.value)}
      />
      <form onSubmit={submit}>
        <Group align="end" gap="xs">
          <TextInput
            label={t('Tracking number')}
            description={t('Scan the label, or type its number.')}
            value={typed}
            onChange={event => setTyped(event.currentTarget.value)}
            style={{ flex: 1 }}
          />
          <Button type="submit">{words[step]}</Button>
        </Group>
      </form>
      <CameraButton keepOpen />
      <VisuallyHidden role="status">
        {last?.refused ?? (last?.shipment ? `${last.shipment.tracking_no ?? ''} ${words[step]}` : '')}
      </VisuallyHidden>
      {scans.length > 0 ? (
        <section aria-label={t('Scanned now')}>
          <h2 className={style.heading}>{t('Scanned now')}</h2>
          <ol className={style.scans}>
            {scans.map(scan => (
              <li key={scan.key}>
                <span className={style.number}>{scan.shipment?.tracking_no ?? scan.code}</span>
                {scan.refused ? (
                  <StateBadge tone="stop">{scan.refused}</StateBadge>
                ) : scan.shipment ? (
                  <>
                    <ShipmentBadge state={scan.shipment.state} />
                    <OrderLink shipment={scan.shipment} />
                  </>
                ) : (
                  <StateBadge tone="busy">{t('Being sent')}</StateBadge>
                )}
                <span className={style.when}>
                  <RelativeTime at={scan.at} as="time" />
                </span>
              </li>
            ))}
          </ol>
        </section>
      ) : null}
    </Stack>
  )
}
