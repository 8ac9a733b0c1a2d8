-- Recordings are read in pieces: a compressed one would be unpacked from its beginning for each of them.
alter table pictures alter column bytes set storage external;
