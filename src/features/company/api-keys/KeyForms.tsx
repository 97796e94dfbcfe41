/** Forms of a CMS key: a new one, what may change, and one that takes its place. */
import { Checkbox, NativeSelect, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import * as z from 'zod'
import { isAllowed, keyScopes } from '#contract/access.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { areas } from '#features/company/users/permissions.labels.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { dateIn, instantOf, today } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { send } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { keptHours, keptWords } from './cms-keys.codes.ts'
import { cmsKeys } from './cms-keys.contract.ts'
import { type CmsKey, ShopCode } from './cms-keys.schemas.ts'
import { isNetwork } from './networks.rules.ts'

const name = text(limits.name).min(1, 'Give the key a name by which you will know it')
/** One network a line, as people write them. */
const networks = z
  .string()
  .max(1_100)
  .refine(written => networksIn(written).every(isNetwork), 'This is no network. Write it like 192.0.2.0/24.')
  .refine(written => networksIn(written).length <= 20, 'At most 20 networks')
const networksIn = (written: string): string[] => written.split(/[\s,;]+/).filter(one => one !== '')
const isAhead = (day: string) => day === '' || day >= today()
const endOf = (day: string) => (day === '' ? null : instantOf(`${day}T23:59:59`))

interface Made {
  key: string
  row: CmsKey
}

const NewKeyForm = z
  .object({
    name,
    purpose: z.enum(['shop', 'api']),
    shop: ShopCode,
    expires: z.string().refine(isAhead, 'This day has passed.'),
    scopes: z.array(z.enum(keyScopes)),
    read_only: z.boolean(),
    networks,
  })
  .refine(({ purpose, scopes }) => purpose === 'shop' || scopes.length > 0, { path: ['scopes'], message: 'Choose what the key may do' })

export function NewKey({ done }: { done: (made: Made) => void }) {
  const t = useT()
  const { permissions } = useSignedIn()
  const edit = useEdit<z.infer<typeof NewKeyForm>, Made, never>({
    schema: NewKeyForm,
    initial: { name: '', purpose: 'shop', shop: 'main', expires: '', scopes: [], read_only: false, networks: '' },
    save: ({ expires, networks: written, scopes, read_only, purpose, ...fields }) =>
      send(cmsKeys.create, {
        body: {
          ...fields,
          purpose,
          ...(purpose === 'api' && { scopes, read_only }),
          allowed_networks: networksIn(written),
          expires_at: endOf(expires),
        },
      }),
    refreshes: [cmsKeys.list],
    done,
  })
  const { purpose, scopes, read_only } = edit.values
  const levels = areas.flatMap(area =>
    area.levels.flatMap(level => {
      const code = keyScopes.find(one => one === level.code)
      return code !== undefined && isAllowed(permissions, [code]) ? [{ code, area: area.title, title: level.title, help: level.help }] : []
    }),
  )
  return (
    <Form edit={edit} action={t('Create key')} unguarded>
      <TextInput label={t('Name')} description={t('The program that will use it.')} data-autofocus {...edit.of('name')} />
      <NativeSelect
        label={t('Use')}
        data={[
          { value: 'shop', label: t('A shop sends orders and products') },
          { value: 'api', label: t('Another program works for me') },
        ]}
        {...edit.of('purpose')}
      />
      {purpose === 'shop' ? (
        <TextInput label={t('Shop')} description={t('Orders sent with the key belong to this shop.')} {...edit.of('shop')} />
      ) : (
        <>
          <Checkbox.Group
            label={t('What the key may do')}
            description={t('Never more than you may do yourself. Settings, users and pay stay closed.')}
            value={scopes}
            onChange={next =>
              edit.form.setFieldValue(
                'scopes',
                keyScopes.filter(code => next.includes(code)),
              )
            }
            error={edit.of('scopes').error}
          >
            <Stack gap="xs" mt="xs">
              {levels.map(({ code, area, title, help }) => (
                <Checkbox key={code} value={code} label={`${t(area)} · ${t(title)}`} description={t(help)} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Switch
            label={t('Reads only')}
            description={t('The key changes nothing.')}
            checked={read_only}
            onChange={event => edit.form.setFieldValue('read_only', event.currentTarget.checked)}
          />
        </>
      )}
      <NetworksField {...edit.of('networks')} />
      <TextInput type="date" label={t('Good until')} description={t('Empty: until it is removed.')} {...edit.of('expires')} />
    </Form>
  )
}

function NetworksField(field: object) {
  const t = useT()
  return (
    <Textarea
      label={t('Networks')}
      description={t('The key works from these alone, one a line: 192.0.2.0/24. Empty: from everywhere.')}
      autosize
      minRows={2}
      maxRows={8}
      spellCheck={false}
      {...field}
    />
  )
}

/** A key that has ended can have another name all the same. */
const changeForm = (present: string) =>
  z.object({ name, expires: z.string().refine(day => day === present || isAhead(day), 'This day has passed.'), networks })

export function ChangeKey({ row, done }: { row: CmsKey; done: () => void }) {
  const t = useT()
  const present = row.expires_at ? dateIn(row.expires_at) : ''
  const edit = useEdit({
    schema: changeForm(present),
    initial: { name: row.name, expires: present, networks: row.allowed_networks.join('\n') },
    save: fields =>
      send(cmsKeys.change, {
        id: row.id,
        body: {
          name: fields.name,
          expires_at: fields.expires === present ? row.expires_at : endOf(fields.expires),
          allowed_networks: networksIn(fields.networks),
        },
      }),
    refreshes: [cmsKeys.list],
    said: t('Key saved'),
    done,
  })
  return (
    <Form edit={edit} action={t('Save')} unguarded>
      <TextInput label={t('Name')} data-autofocus {...edit.of('name')} />
      <NetworksField {...edit.of('networks')} />
      <TextInput type="date" label={t('Good until')} description={t('Empty: until it is removed.')} {...edit.of('expires')} />
    </Form>
  )
}

const ReplaceForm = z.object({ kept: z.string() })

export function ReplaceKey({ row, done }: { row: CmsKey; done: (made: Made) => void }) {
  const t = useT()
  const edit = useEdit({
    schema: ReplaceForm,
    initial: { kept: '24' },
    save: ({ kept }) => send(cmsKeys.replace, { id: row.id, body: { keep_hours: keptHours.find(hours => String(hours) === kept) ?? 24 } }),
    refreshes: [cmsKeys.list],
    done,
  })
  return (
    <Form edit={edit} action={t('Replace key')} unguarded>
      <Text>{t('A new key with the same rights takes the place of {{name}}.', { name: row.name })}</Text>
      <NativeSelect
        label={t('Old key valid for')}
        description={t('So that nothing is refused until the program uses the new one.')}
        data={keptHours.map(hours => ({ value: String(hours), label: t(keptWords[hours]) }))}
        {...edit.of('kept')}
      />
    </Form>
  )
}
