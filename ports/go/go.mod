module bloomery

go 1.19
