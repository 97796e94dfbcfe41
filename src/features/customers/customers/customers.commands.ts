/** Storing customers: parts of the statement that stores their orders, so that a new order costs no further one. */
import type { CheckType } from './customers.codes.ts'
import type { NewCustomer, NewLookup } from './customers.rules.ts'

type Cell = string | number | null
type Cells<T> = readonly (readonly [name: string, type: string, of: (row: T) => Cell])[]

export const newCustomerCells: Cells<NewCustomer & { place: number }> = [
  ['place', 'int', row => row.place],
  ['customer_id', 'bigint', row => row.customer_id],
  ['check_type', 'text', row => row.first.type],
  ['check_value', 'text', row => row.first.value],
  ['name', 'text', row => row.name],
  ['name_postcode', 'text', row => row.name_postcode],
]

export const newLookupCells: Cells<NewLookup> = [
  ['customer_id', 'bigint', row => row.customer_id],
  ['place', 'int', row => row.customer],
  ['check_type', 'text', row => row.type satisfies CheckType],
  ['check_value', 'text', row => row.value],
]

/**
 * The steps of a `with` that store customers from two tables of `newCustomerCells` as `c` and `newLookupCells` as `l`. The step
 * `stored_lookups` answers (customer_id, check_type, check_value): whichever of two concurrent transactions stores a value first makes
 * the customer, and the other gets its id. All take lookups in the same order, so they cannot wait for each other in a circle.
 */
export const customerSteps = (customers: string, lookups: string): string[] => [
  `new_customers as materialized (select c.*, coalesce(c.customer_id, nextval('customers_id_seq')) as id from ${customers})`,
  `stored_lookups as (insert into customer_lookups (customer_id, seen_by, check_type, check_value)
    select coalesce(l.customer_id, n.id), array[current_company_id()], l.check_type, l.check_value
    from ${lookups} left join new_customers n on n.place = l.place order by l.check_type, l.check_value
    on conflict (operator_id, check_type, check_value) where removed_at is null and not ignored
    do update set seen_by = case when current_company_id() = any (customer_lookups.seen_by) then customer_lookups.seen_by
      else customer_lookups.seen_by || current_company_id() end
    returning customer_id, check_type, check_value)`,
  `stored_customers as (insert into customers (id, root_id)
    select n.id, n.id from new_customers n where n.customer_id is null and n.id in (select s.customer_id from stored_lookups s))`,
  `stored_companies as (insert into customer_companies (customer_id, name, name_postcode)
    select distinct on (x.id) x.id, x.name, x.name_postcode from (
      select coalesce(n.customer_id, s.customer_id) as id, n.name, n.name_postcode, n.place
        from new_customers n left join stored_lookups s on s.check_type = n.check_type and s.check_value = n.check_value
      union all select n.id, n.name, n.name_postcode, n.place from new_customers n where n.id in (select s.customer_id from stored_lookups s)) x
    where x.id is not null order by x.id, x.place on conflict do nothing)`,
]
