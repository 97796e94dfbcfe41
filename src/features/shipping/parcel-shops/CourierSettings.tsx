/** A courier's settings as it declares them; routes are a table. */
import { ActionIcon, Button, Input, NativeSelect, Table, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import * as z from 'zod'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { instant } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SecretInput } from '#ui/kit/SecretInput.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { parcelShops } from './parcel-shops.contract.ts'
import { CourierConfig } from './parcel-shops.schemas.ts'
import { noRoute, type RouteRow, routeRows, routeText } from './routes.rules.ts'

export function CourierSettings({ agent_code }: { agent_code: string }) {
  const config = useCall(parcelShops.config, { agent_code })
  const [saves, setSaves] = useState<{ count: number; config: CourierConfig } | null>(null)
  return (
    <QueryState of={config} shape="form">
      {answer => (
        // After saving the form begins anew: a key that was written is shown by its last letters only.
        <CourierForm
          key={saves?.count ?? 0}
          config={saves?.config ?? answer}
          saved={config => setSaves({ count: (saves?.count ?? 0) + 1, config })}
        />
      )}
    </QueryState>
  )
}

type Values = Record<string, string>
const Values = z.record(z.string(), z.string())

const valuesOf = ({ values, secrets }: CourierConfig): Values => ({
  ...values,
  ...Object.fromEntries(Object.keys(secrets).map(name => [name, ''])),
})

function CourierForm({ config, saved }: { config: CourierConfig; saved: (config: CourierConfig) => void }) {
  const t = useT()
  const version = useRef(config.version)
  // The rows of a table of routes begin anew when somebody else's state is taken.
  const [taken, setTaken] = useState(0)
  const edit = useEdit({
    schema: Values,
    initial: valuesOf(config),
    save: values => send(parcelShops.setConfig, { agent_code: config.agent_code, body: { version: version.current, settings: values } }),
    refreshes: [parcelShops.config, parcelShops.configured],
    said: t('The settings of {{courier}} are saved', { courier: config.name }),
    done: saved,
    conflict: {
      schema: CourierConfig,
      values: fresh => {
        version.current = fresh.version
        setTaken(count => count + 1)
        return valuesOf(fresh)
      },
    },
  })
  const reset = () => {
    edit.reset()
    setTaken(count => count + 1)
  }
  return (
    <Form edit={{ ...edit, reset }} note={config.updated_at ? t('Saved {{time}}', { time: instant(config.updated_at) }) : undefined}>
      {config.fields.map(field => {
        const label = t(field.label)
        const given = { label, description: field.hint ? t(field.hint) : undefined, required: field.required ?? false, withAsterisk: false }
        if (field.secret)
          return (
            <SecretInput
              key={field.name}
              label={label}
              description={given.description}
              last4={config.secrets[field.name] ?? null}
              value={edit.values[field.name] ?? ''}
              error={edit.form.errors[field.name]}
              onChange={value => edit.form.setFieldValue(field.name, value)}
            />
          )
        if (field.name === 'routes' && field.multiline)
          return (
            <RouteTable
              key={`${field.name}${taken}`}
              label={label}
              text={edit.values[field.name] ?? ''}
              error={edit.form.errors[field.name]}
              onChange={text => edit.form.setFieldValue(field.name, text)}
            />
          )
        if (field.choices)
          return (
            <NativeSelect
              key={field.name}
              data={field.choices.map(({ value, name }) => ({ value, label: name }))}
              {...given}
              {...edit.of(field.name)}
              value={edit.values[field.name] || field.choices[0]?.value}
            />
          )
        return field.multiline ? (
          <Textarea key={field.name} autosize minRows={3} maxRows={12} {...given} {...edit.of(field.name)} />
        ) : (
          <TextInput key={field.name} {...given} {...edit.of(field.name)} />
        )
      })}
    </Form>
  )
}

interface RouteTableProps {
  label: string
  text: string
  error: ReactNode
  onChange: (text: string) => void
}

/** Keys outlive the moving of rows. */
type Row = RouteRow & { key: number }

function RouteTable({ label, text, error, onChange }: RouteTableProps) {
  const t = useT()
  const next = useRef(0)
  const keyed = (row: RouteRow): Row => ({ ...row, key: next.current++ })
  const [rows, setRows] = useState<Row[]>(() => routeRows(text).map(keyed))
  const change = (changed: Row[]) => {
    setRows(changed)
    onChange(routeText(changed))
  }
  const box = (row: Row, field: keyof RouteRow, title: string, more: object = {}) => (
    <TextInput
      size="sm"
      aria-label={`${title}: ${row.name || label}`}
      value={row[field]}
      onChange={event => change(rows.map(one => (one.key === row.key ? { ...one, [field]: event.currentTarget.value } : one)))}
      {...more}
    />
  )
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      error={error}
      description={t('Postcodes such as 2100, 2100-2200 or SW1*; the cage they wait in; when the van leaves.')}
    >
      {rows.length > 0 ? (
        <Table.ScrollContainer minWidth={520} mt="xs">
          <Table verticalSpacing={4} horizontalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Route')}</Table.Th>
                <Table.Th>{t('Postcodes')}</Table.Th>
                <Table.Th w={90}>{t('Cage')}</Table.Th>
                <Table.Th w={100}>{t('Cut-off')}</Table.Th>
                <Table.Th w={44} />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(row => (
                <Table.Tr key={row.key}>
                  <Table.Td>{box(row, 'name', t('Route'))}</Table.Td>
                  <Table.Td>{box(row, 'postcodes', t('Postcodes'), { placeholder: '2100-2200, 2400' })}</Table.Td>
                  <Table.Td>{box(row, 'cage', t('Cage'))}</Table.Td>
                  <Table.Td>{box(row, 'cut_off', t('Cut-off'), { placeholder: '15:30' })}</Table.Td>
                  <Table.Td>
                    <ActionIcon
                      color="brick"
                      aria-label={t('Remove the route {{name}}', { name: row.name })}
                      onClick={() => change(rows.filter(one => one.key !== row.key))}
                    >
                      <IconTrash size={16} />
                    </ActionIcon>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : null}
      <Button
        mt="xs"
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={16} />}
        onClick={() => setRows([...rows, keyed(noRoute)])}
      >
        {t('Add a route')}
      </Button>
    </Input.Wrapper>
  )
}
