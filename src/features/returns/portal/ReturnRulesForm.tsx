/** Until when customers may send back, what it costs them, and who looks first. */
import { NumberInput, Select } from '@mantine/core'
import * as z from 'zod'
import { decimalsOf } from '#domain/money.ts'
import { ReturnSettings } from '#features/company/companies/companies.schemas.ts'
import { returns } from '#features/returns/returns/returns.contract.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'

export function ReturnRulesForm() {
  const settings = useCall(returns.settings, {}, { live: ['company'] })
  return (
    <QueryState of={settings} shape="form">
      {one => <Fields settings={one} />}
    </QueryState>
  )
}

function Fields({ settings }: { settings: ReturnSettings }) {
  const t = useT()
  const { init } = useSignedIn()
  const { currency } = init.settings
  const decimals = decimalsOf(currency)
  const minor = (value: unknown): number => Math.round(Number(value) * 10 ** decimals)
  const edit = useEdit({
    schema: z
      .custom<ReturnSettings>()
      .transform((values): unknown => ({ ...values, fee: minor(values.fee) }))
      .pipe(ReturnSettings),
    // In whole units while it is edited.
    initial: { ...settings, fee: settings.fee / 10 ** decimals },
    save: values => send(returns.setSettings, { body: { ...values, fee: minor(values.fee) } }),
    refreshes: [returns.settings],
    said: t('Return rules saved'),
  })
  const days = {
    allowDecimal: false,
    allowNegative: false,
    hideControls: true,
    max: 365,
    styles: { wrapper: { maxWidth: '10rem' } },
  } as const
  return (
    <Form edit={edit}>
      <div>
        <SettingsSection title={t('Time to return')} help={t('Counted from the day after the last parcel arrived.')}>
          <NumberInput label={t('Days to return')} {...days} {...edit.of('window_days')} />
          <NumberInput
            label={t('Days to withdraw')}
            description={t('By law at least 14; one that ends on a weekend or holiday ends on the next working day.')}
            {...days}
            {...edit.of('withdrawal_days')}
          />
          <NumberInput
            label={t('Days to send')}
            description={t('A return that nobody has sent by then ends by itself.')}
            {...days}
            {...edit.of('unused_days')}
          />
          <NumberInput
            label={t('Days until items count as missing')}
            description={t('After the first parcel of the return.')}
            {...days}
            {...edit.of('missing_days')}
          />
        </SettingsSection>
        <SettingsSection title={t('Price and review')} help={t('Neither is ever applied to a withdrawal in time.')}>
          <NumberInput
            label={t('Return fee')}
            description={t('Taken once, unless shop or courier is at fault.')}
            suffix={` ${currency}`}
            decimalScale={decimals}
            min={0}
            hideControls
            styles={{ wrapper: { maxWidth: '10rem' } }}
            {...edit.of('fee')}
          />
          <Select
            label={t('Review')}
            allowDeselect={false}
            data={[
              { value: 'never', label: t('Returns are approved at once') },
              { value: 'always', label: t('Someone approves each return') },
            ]}
            {...edit.of('review')}
          />
        </SettingsSection>
      </div>
    </Form>
  )
}
