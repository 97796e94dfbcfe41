-- Two checks of foreign keys that cost each line and each order of an import a look-up, a sixth of the statement that stores it.

-- Products are never deleted, and the statement that stores lines has read their products. The check also locks the row of each product, so that
-- imports of one company wrote to the same rows.
alter table order_lines drop constraint order_lines_operator_id_product_id_fkey;
-- Words are written by the statement that writes their order, and deleted by the one that deletes it.
alter table order_words drop constraint order_words_operator_id_order_id_fkey;
