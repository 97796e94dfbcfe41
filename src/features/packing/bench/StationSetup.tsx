/** A device that does not know its station: asked once, in place. */
import { Autocomplete, Button, Select } from '@mantine/core'
import { useState } from 'react'
import { printers } from '#features/warehouse/printers/printers.contract.ts'
import { stations } from '#features/warehouse/stations/stations.contract.ts'
import { useCall, useSend } from '#web/calls.ts'
import { device, useDevice } from '#web/device.ts'
import { useT } from '#web/translate.ts'
import style from './Bench.module.css'
import { focusFirst, Prompt } from './bench-parts.tsx'

export function StationSetup() {
  const t = useT()
  const known = useCall(stations.list, {})
  const list = useCall(printers.list, {})
  const chosen = useDevice('printer')
  const [name, setName] = useState('')
  const [label, setLabel] = useState<string | null>(chosen?.labelPrinter ? String(chosen.labelPrinter) : null)
  const [a4, setA4] = useState<string | null>(chosen?.A4Printer ? String(chosen.A4Printer) : null)
  const use = useSend(stations.use, {
    done: station => {
      device.write('printer', { labelPrinter: label === null ? null : Number(label), A4Printer: a4 === null ? null : Number(a4) })
      device.write('packingStation', station.name)
    },
  })
  const all = list.data?.printers ?? []
  const options = (paper: 'label' | 'a4') => all.filter(one => one.paper === paper).map(one => ({ value: String(one.id), label: one.name }))
  return (
    <form
      className={style.setup}
      onSubmit={event => {
        event.preventDefault()
        if (name.trim() !== '') use.mutate({ name: name.trim() })
      }}
    >
      <Prompt detail={t('What is packed here is written down with this name. It is asked once for this device.')}>
        {t('Which station is this?')}
      </Prompt>
      <div className={style.fields}>
        <Autocomplete
          size="lg"
          label={t('Station')}
          placeholder={t('Bench 4')}
          maxLength={20}
          data={(known.data ?? []).map(station => station.name)}
          value={name}
          onChange={setName}
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
        <Button size="lg" type="submit" loading={use.isPending} disabled={name.trim() === ''}>
          {t('Begin packing')}
        </Button>
      </div>
    </form>
  )
}
