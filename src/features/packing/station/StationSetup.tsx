/** A device that does not know its station: asked once, in place. */
import { Autocomplete, Button, Select } from '@mantine/core'
import { useState } from 'react'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { printerName } from '#features/printing/printers/printers.labels.ts'
import { stations } from '#features/printing/stations/stations.contract.ts'
import { device, useDevice } from '#ui/device/device-storage.ts'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useIsOffered } from '#ui/navigation/menu.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useSession } from '#ui/query/session.ts'
import style from './StationSetup.module.css'
import parts from './station-parts.module.css'
import { focusFirst, Prompt } from './station-parts.tsx'

export default function StationSetup() {
  const t = useT()
  const known = useCall(stations.list, {})
  const list = useCall(printers.list, {})
  const chosen = useDevice('printer')
  const [name, setName] = useState('')
  const [missing, setMissing] = useState(false)
  const offered = useIsOffered('/settings/first-steps')
  const isNew = (useSession()?.init.settings.sender_missing ?? false) && offered
  const all = list.data?.printers ?? []
  const options = (paper: 'label' | 'a4') =>
    all.filter(one => one.paper === paper).map(one => ({ value: String(one.id), label: printerName(t, one.name) }))
  /** The only printer is chosen already. */
  const first = (paper: 'label' | 'a4', before: number | null | undefined) => {
    const known = options(paper)
    return before ? String(before) : known.length === 1 ? (known[0]?.value ?? null) : null
  }
  const [labelChosen, setLabel] = useState<string | null>()
  const [a4Chosen, setA4] = useState<string | null>()
  const label = labelChosen === undefined ? first('label', chosen?.labelPrinter) : labelChosen
  const a4 = a4Chosen === undefined ? first('a4', chosen?.A4Printer) : a4Chosen
  const use = useSend(stations.use, {
    done: station => {
      device.write('printer', { labelPrinter: label === null ? null : Number(label), A4Printer: a4 === null ? null : Number(a4) })
      device.write('packingStation', station.name)
    },
  })
  return (
    <form
      className={style.setup}
      onSubmit={event => {
        event.preventDefault()
        setMissing(name.trim() === '')
        if (name.trim() === '') focusFirst(event.currentTarget.querySelector('input'))
        else use.mutate({ name: name.trim() })
      }}
    >
      <Prompt detail={t('Orders are recorded under this station. Choose it once per device.')}>{t('Which station is this?')}</Prompt>
      <div className={parts.fields}>
        <Autocomplete
          size="lg"
          label={t('Station')}
          placeholder={t('For example Bench 1')}
          maxLength={20}
          data={(known.data ?? []).map(station => station.name)}
          value={name}
          onChange={setName}
          error={missing && name.trim() === '' && t('Enter a name first')}
          ref={focusFirst}
        />
        <Select
          size="lg"
          label={t('Label printer')}
          placeholder={t('None')}
          data={options('label')}
          value={label}
          onChange={setLabel}
          clearable
        />
        <Select size="lg" label={t('A4 printer')} placeholder={t('None')} data={options('a4')} value={a4} onChange={setA4} clearable />
        <Button size="lg" type="submit" loading={use.isPending}>
          {t('Start packing')}
        </Button>
        {isNew ? (
          <Button component={Link} to="/settings/first-steps" variant="default" size="lg">
            {t('First steps')}
          </Button>
        ) : null}
      </div>
    </form>
  )
}
