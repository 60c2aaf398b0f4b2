-- The head of the file's chain behind each line that is held: so a file that is sent again from its beginning is known to
-- be the one that was begun, line by line, and goes on from the first line that is another one. Null: held before this.
ALTER TABLE import_lines ADD COLUMN chain bytea;
