-- Attempts begun before types of handed-in files were enforced, or by an app that does not know them:
-- what such an app showed as saved is taken whatever its type.
alter table attempts add column any_file_type boolean not null default true;
alter table attempts alter column any_file_type set default false;
