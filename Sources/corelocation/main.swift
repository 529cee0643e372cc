print("corelocation")
