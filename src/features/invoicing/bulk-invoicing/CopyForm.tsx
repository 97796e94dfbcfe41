/** Copies a configuration to another courier or country. */
import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { countryCodes, countryId } from '#domain/countries.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { compare, country } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { bulkInvoicing } from './bulk-invoicing.contract.ts'
import type { BulkInvoicingConfig } from './bulk-invoicing.schemas.ts'

export function CopyForm({ config, close }: { config: BulkInvoicingConfig; close: () => void }) {
  const t = useT()
  const couriers = useCall(labels.setup, {})
  const [agent_code, setCourier] = useState(config.agent_code)
  const [to, setCountry] = useState<string | null>(null)
  const copy = useSend(bulkInvoicing.copy, {
    refreshes: [bulkInvoicing.list],
    said: t('The copy is switched off until its importer is complete'),
    done: close,
  })
  const countries = useMemo(
    () => countryCodes.map(code => ({ value: code, label: country(code) })).toSorted((one, other) => compare(one.label, other.label)),
    [],
  )
  const known = couriers.data ?? []
  return (
    <Stack gap="md">
      <Text>{t('Everything is copied; the importer only within the same country.')}</Text>
      <NativeChoice
        label={t('Courier')}
        data={
          known.length > 0
            ? known.map(one => ({ value: one.agent_code, label: t(one.name) }))
            : [{ value: agent_code, label: t(config.agent) }]
        }
        value={agent_code}
        choose={setCourier}
      />
      <Select label={t('Country')} data={countries} searchable maxDropdownHeight={280} value={to} onChange={setCountry} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {t('Cancel')}
        </Button>
        <Button
          {...disabledBecause(to === null && t('Select one from the list first'))}
          loading={copy.isPending}
          onClick={() => to !== null && copy.mutate({ config_id: config.config_id, agent_code, country_id: countryId(to) })}
        >
          {t('Copy')}
        </Button>
      </Group>
    </Stack>
  )
}
