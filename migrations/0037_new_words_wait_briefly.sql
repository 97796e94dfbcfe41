-- New words of orders wait briefly before they are sorted in.

-- Until then they stand in a list that every search reads through. A short list costs an import nothing (measured) and a
-- search 0.1 ms at most; the usual four megabytes cost every search after an import 1 ms, and whoever filled it 0.2 s.
alter index order_words_find set (gin_pending_list_limit = 512);
